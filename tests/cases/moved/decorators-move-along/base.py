@app.route("/load")
@limited(10)
def handle(request):
    body = request.json()
    answer = run(body)
    return reply(answer)


class Server:
    port = 80
