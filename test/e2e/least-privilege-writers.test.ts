import { describe } from 'vitest';
import { eachActionIsNeeded, isWriter, onEdge } from './least-privilege.ts';

describe('each action of functions that write people is needed', () => {
  eachActionIsNeeded(({ name, to }) => !onEdge.has(to) && isWriter(name));
});
