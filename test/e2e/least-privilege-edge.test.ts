import { describe } from 'vitest';
import { eachActionIsNeeded, onEdge } from './least-privilege.ts';

describe('each action that the wrapper of routes needs is needed', () => {
  eachActionIsNeeded(({ to }) => onEdge.has(to));
});
