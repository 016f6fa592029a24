"""Read results files: tables, the meaning of their columns, and the matches in them.

Knows no Django, no database and no clock. The command line, the browser import and the evaluation
of rating systems read files through these modules only.
"""
