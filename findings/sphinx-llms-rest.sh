#!/usr/bin/env bash
# Behaviour: sphinx-llms-txt writes reStructuredText into `llms-full.txt`, directives and roles included, and links to the sources of pages in `llms.txt`.
# Expected:  Markdown, as llmstxt.org asks for, and as mkdocs-llmstxt writes it; links to pages or to Markdown.
# Versions:  sphinx-llms-txt 0.7.1, Sphinx 9.0.4
# Guichet reads the page that Sphinx made of a source that `llms.txt` links to; such an `llms-full.txt` it reads as it is.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

python3 -m venv python
python/bin/pip install --quiet sphinx-llms-txt==0.7.1 Sphinx==9.0.4
mkdir docs
cat > docs/conf.py << 'PYTHON'
project = "Guide"
extensions = ["sphinx_llms_txt"]
html_baseurl = "https://docs.site.example/"
PYTHON
cat > docs/index.rst << 'END'
Guide
=====

See :ref:`install`.

.. toctree::

   install
END
cat > docs/install.rst << 'END'
.. _install:

Install
=======

.. note::

   Copy the file.
END
python/bin/sphinx-build -q docs built 2> log

output=$(
  for name in sphinx-llms-txt Sphinx; do python/bin/python -c "from importlib.metadata import version; print('$name', version('$name'))"; done
  echo "llms-full.txt:"
  sed 's/^/  /; s/ *$//' built/llms-full.txt
  echo "llms.txt:"
  grep '](' built/llms.txt | sed 's/^/  /'
)
echo "$output"

# Fails once the output is another one than on 29 November 2026.
diff - <(echo "$output") << 'SEEN'
sphinx-llms-txt 0.7.1
Sphinx 9.0.4
llms-full.txt:
  Guide
  =====

  See :ref:`install`.

  .. toctree::

     install


  .. _install:

  Install
  =======

  .. note::

     Copy the file.

llms.txt:
  - [Guide](https://docs.site.example/_sources/index.rst.txt)
  - [Install](https://docs.site.example/_sources/install.rst.txt)
SEEN
