"""`python -m regrasp` is the command `regrasp`."""

from regrasp.cli.main import main

if __name__ == "__main__":  # worker processes import this file
    main()
