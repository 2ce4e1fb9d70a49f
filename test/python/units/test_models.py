"""The models, as programs see them that read types at run time."""

import inspect
import typing
import unittest

from tidemark import Tidemark, models


class Models(unittest.TestCase):
    def test_their_members_have_types(self):
        shapes = [one for one in vars(models).values() if hasattr(one, "__total__")]
        self.assertGreater(len(shapes), 200)
        for shape in shapes:
            with self.subTest(shape.__name__):
                self.assertTrue(typing.get_type_hints(shape))

    def test_know_which_members_must_be_there(self):
        self.assertEqual(
            models.TokenRequest.__required_keys__,
            {"grant_type", "client_id", "username", "password"},
        )
        self.assertIn("scope", models.TokenRequest.__optional_keys__)
        self.assertEqual(models.NotSegment.__required_keys__, {"not"})

    def test_the_methods_have_types_and_a_docstring(self):
        methods = inspect.getmembers(Tidemark, inspect.isfunction)
        public = [one for name, one in methods if not name.startswith("_")]
        self.assertGreater(len(public), 90)
        for method in public:
            with self.subTest(method.__name__):
                self.assertIn("return", method.__annotations__)
                self.assertTrue(method.__doc__)


if __name__ == "__main__":
    unittest.main()
