"""The web server: an event loop that waits for slow clients, and threads that run Django.

`protocol` holds connections to deadlines, `gate` takes requests in and sends answers out, and
`application` is where a thread calls Django. `python -m config.web --fd N` serves an open socket.
"""
