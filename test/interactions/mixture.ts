import type { Choose } from '../ingest/interleave.ts';

interface Mixing {
  readonly choose: Choose;
  readonly likesBrands: boolean;
  readonly consenting: boolean;
  readonly special: boolean;
  readonly conditioned: boolean;
  readonly timed: boolean;
}

/** The names of the steps that a history has more often than others, each as often as it is named. */
export const mixtureOf = ({ choose, likesBrands, consenting, special, conditioned, timed }: Mixing) => {
  const common = ['file', 'file', 'advance', 'advance', 'finish', 'finish', 'undo'];
  const restoring = choose(6) === 0 ? ['backup', 'file', 'post', 'finish', 'restore', 'restore'] : [];
  const polling = choose(6) === 0 ? ['poll', 'poll', 'batch', 'batch', 'finish', 'finish'] : [];
  const liking = likesBrands ? ['brands', 'brands', 'finish'] : [];
  const naming = choose(4) === 0 ? ['custom', 'custom', 'discard', 'file', 'finish'] : [];
  const ruling = special ? ['rule', 'rule', 'undo', 'file', 'finish', 'finish'] : [];
  const undoing = consenting ? ['undo', 'undo', 'file', 'finish', 'finish', 'finish', 'forget'] : [];
  const making = ['condition', 'condition', 'condition', 'condition', 'condition', 'post', 'file', 'rename'];
  const preparing = ['prepare', 'prepare', 'prepare', 'ready', 'ready', 'drains', 'thaw', 'advance'];
  const going = ['resting', 'resting', 'unmake', 'unmake', 'over', 'over', 'moment', 'finish', 'finish'];
  const deciding = conditioned ? [...making, ...preparing, ...going] : [];
  const passing = timed
    ? [...Array.from({ length: 14 }, () => 'days'), 'resting', 'post', 'post', 'finish']
    : [];
  const returning =
    conditioned && choose(4) === 0 ? ['backup', 'backup', 'prepare', 'restore', 'restore'] : [];
  return [common, undoing, ruling, restoring, polling, liking, naming, deciding, passing, returning].flat();
};
