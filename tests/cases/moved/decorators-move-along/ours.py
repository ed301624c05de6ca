class Server:
    port = 80

    @app.route("/load")
    @limited(10)
    @traced
    def handle(self, request):
        body = request.json()
        answer = run(body)
        return reply(answer)
