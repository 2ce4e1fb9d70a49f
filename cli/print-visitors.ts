/** `npm run --silent sample`: prints a file of visitors to import, as docs/first-file.md uses it. */
import { makeVisitors } from './visitors.ts';

process.stdout.write(makeVisitors());
