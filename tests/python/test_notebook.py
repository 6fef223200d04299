"""The notebooks of examples/notebooks, made by scripts/notebook and run by a kernel of Jupyter."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    import nbclient
    import nbformat
    import pandas  # noqa: F401
except ImportError:
    sys.exit(77)

SOURCE = pathlib.Path(os.environ["HANNAN_SOURCE"])


class Notebooks(unittest.TestCase):
    def run_in(self, folder, name):
        made = pathlib.Path(folder, name + ".ipynb")
        script = SOURCE / "examples/notebooks" / (name + ".py")
        subprocess.run([sys.executable, "-B", SOURCE / "scripts/notebook", script, made], check=True, timeout=60)
        notebook = nbformat.read(made, as_version=4)
        nbformat.validate(notebook)
        nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": folder}}).execute()
        return notebook

    def test_from_a_log_to_floors(self):
        with tempfile.TemporaryDirectory() as folder:
            notebook = self.run_in(folder, "log_to_floors")
            shown = json.dumps([cell.get("outputs", []) for cell in notebook.cells])
            self.assertIn("as logged:", shown)
            self.assertIn("<table>", shown)
            with open(os.path.join(folder, "floors.json")) as file:
                self.assertTrue(json.load(file)["values"])
            self.assertIn("Reserves for three buyers", pathlib.Path(folder, "result.html").read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
