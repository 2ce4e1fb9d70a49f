/**
 * Repairs of the templates from which OpenAPI Generator 7.0.0 makes the Python client. Its later releases need none of the
 * first three.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Repair {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const repairs: readonly Repair[] = [
  // Python's own enumerations do what the package `aenum` does, which Debian lacks.
  {
    file: 'model_enum.mustache',
    from: 'import json\nimport pprint\nimport re  # noqa: F401\nfrom aenum import Enum, no_arg\n',
    to: 'from __future__ import annotations\nimport json\nimport pprint\nimport re  # noqa: F401\nfrom enum import Enum\n',
  },
  // A plain value among alternatives was sent as a text of JSON.
  {
    file: 'model_anyof.mustache',
    from: 'to_dict()\n        else:\n            return json.dumps(self.actual_instance)',
    to: 'to_dict()\n        else:\n            return self.actual_instance',
  },
  // A switch was sent as `True`, because a truth value is also an `int`.
  {
    file: 'api_client.mustache',
    from: '            if isinstance(v, (int, float)):\n                v = str(v)\n            if isinstance(v, bool):\n',
    to: '            if isinstance(v, (int, float)) and not isinstance(v, bool):\n                v = str(v)\n            if isinstance(v, bool):\n',
  },
  {
    file: 'setup.mustache',
    from: '    "pydantic >= 1.10.5, < 2",\n    "aenum"\n',
    to: '    "pydantic >= 1.10.4, < 2",\n',
  },
  { file: 'pyproject.mustache', from: '"^1.10.5, <2"\naenum = ">=3.1.11"\n', to: '"^1.10.4, <2"\n' },
  { file: 'requirements.mustache', from: '1.10.5, < 2\naenum >= 3.1.11\n', to: '1.10.4, < 2\n' },
  // Each of 300 files repeated the introduction of the document.
  {
    file: 'partial_header.mustache',
    from: '{{#appDescription}}\n    {{{.}}}\n\n{{/appDescription}}\n',
    to: '',
  },
];

/** Repairs the templates in a folder. Throws when one is not the template of 7.0.0. */
export const repairTemplates = (folder: string): void => {
  for (const { file, from, to } of repairs) {
    const path = join(folder, file);
    const [before, after, ...more] = readFileSync(path, 'utf8').split(from);
    if (before === undefined || after === undefined || more.length > 0)
      throw new Error(`The template ${file} differs from the one that is repaired.`);
    writeFileSync(path, `${before}${to}${after}`);
  }
};
