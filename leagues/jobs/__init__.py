"""Work that takes time: the database is the queue, Celery or `runjobs` drain it."""
