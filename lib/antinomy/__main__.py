"""``python -m antinomy``: the same as the console script."""

from antinomy.cli.app import main

if __name__ == "__main__":
    main()
