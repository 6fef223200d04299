"""The check of Python imports finds circles, also those that functions hide."""

import contextlib
import io
import pathlib
import tempfile
import unittest

import python_imports


class PythonImports(unittest.TestCase):
    def result(self, **modules):
        with tempfile.TemporaryDirectory() as root, contextlib.redirect_stdout(io.StringIO()) as said:
            package = pathlib.Path(root, "python", "hannan")
            package.mkdir(parents=True)
            for name, text in modules.items():
                (package / f"{name}.py").write_text(text)
            return python_imports.main(root), said.getvalue()

    def test_modules_in_layers_pass(self):
        self.assertEqual(self.result(_a="import os\n", _b="from ._a import f\n", _c="from . import _a, _b\n"), (0, ""))

    def test_a_circle_is_refused_wherever_the_import_stands(self):
        for hidden in ("from ._b import f\n",
                       "def g():\n    from ._b import f\n    return f\n",
                       "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from . import _b\n"):
            code, said = self.result(_a=hidden, _b="from ._a import g\n")
            self.assertEqual(code, 1)
            self.assertIn("_a -> _b -> _a", said)

    def test_an_empty_folder_is_no_package(self):
        self.assertEqual(self.result()[0], 1)


if __name__ == "__main__":
    unittest.main()
