parser.add_argument("--host", type=str)
parser.add_argument("--port", type=int)
