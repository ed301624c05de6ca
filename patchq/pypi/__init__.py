"""The only room that knows pip: releases on PyPI as trees of files."""
