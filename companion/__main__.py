"""`python3 companion`: refuse an old Python in a sentence, then go on in `environment.py`.

Any Python can read this file, 2.7 too, so that it gets to say which one is needed.
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
