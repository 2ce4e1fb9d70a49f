/** Prints the gzipped sizes of the console's files, and fails when a file exceeds its bound. Part of `npm run check`. */
import { consoleFiles } from '../functions/edge/console-page/files.ts';
import { packedFile } from '../lib/constructs/bundle.ts';

/** Bytes. A telephone loads the first two files in less than a second over a slow line (1 Mbit/s), and one of a language. */
const bounds = { 'app.js': 80_000, 'style.css': 20_000, 'de.js': 20_000 } as const;

for (const name of ['app.js', 'style.css', 'de.js'] as const) {
  const size = packedFile(consoleFiles[name]).length;
  process.stdout.write(`${name}: ${size} of at most ${bounds[name]} bytes, gzipped\n`);
  if (size > bounds[name]) process.exitCode = 1;
}
