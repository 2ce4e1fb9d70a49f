import { it } from 'vitest';
import { casesOf } from '../support/scale.ts';
import { playProtocols } from './play-protocols.ts';

const STORIES = casesOf('STORIES', { full: 1_000, sample: 60 });
/** `FROM=5000 STORIES=1000` plays other seeds. */
const FROM = casesOf('FROM', { full: 0, sample: 0 });

it('every history of all protocols shows what the plain model says', { timeout: 3_600_000 }, async () => {
  const faults: string[] = [];
  for (let seed = FROM; seed < FROM + STORIES; seed += 1)
    await playProtocols(seed).catch((error: unknown) => faults.push(String(error)));
  const shortest = faults.sort((one, other) => one.length - other.length).slice(0, 3);
  if (faults.length > 0) throw new Error([`${faults.length} of ${STORIES}`, ...shortest].join('\n\n'));
});
