"""The frame: settings, addresses, the Celery application and the schedule."""
