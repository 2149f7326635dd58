"""`python3 companion`: checks the Python version, then runs `environment.py`.

This file must stay valid in every Python, even 2.7, or an old one would show a syntax error instead of the message.
"""

import os
import runpy
import sys

OLDEST = (3, 11)

if __name__ == "__main__":
    if sys.version_info < OLDEST:
        needed = ".".join(map(str, OLDEST))
        sys.exit("Python " + needed + " or newer is needed; this is " + sys.version.split()[0] + ". See python.org.")
    runpy.run_path(os.path.join(os.path.dirname(os.path.abspath(__file__)), "environment.py"), run_name="__main__")
