class Server:
    port = 80

    @app.route("/load")
    @limited(20)
    @traced
    def handle(self, request):
        body = request.json()
        answer = run(body, timeout=5)
        return reply(answer)
