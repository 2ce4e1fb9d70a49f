import { describe, expect, it } from 'vitest';
import { newAccount } from '../../../local/core/strictness.ts';
import { readOptions, USAGE, UsageError } from '../../../cli/standalone/start/options.ts';

const strictnessOf = (...args: string[]) => {
  const options = readOptions(args);
  return options === 'help' ? undefined : options.strictness;
};

describe('the options of npm start', () => {
  it('imitate no limit of AWS by default', () => {
    expect(strictnessOf()).toEqual({});
  });

  it('keep the history of tables only on request', () => {
    expect(readOptions([])).toMatchObject({ backups: false });
    expect(readOptions(['--backups'])).toMatchObject({ backups: true });
  });

  it('pass on each limit alone', () => {
    expect(strictnessOf('--table-units', '200:600')).toEqual({ tableUnits: { write: 200, read: 600 } });
    expect(strictnessOf('--latency', '4:10.5')).toEqual({ latency: { p50: 4, p99: 10.5 } });
    expect(strictnessOf('--real-visibility')).toEqual({ realVisibility: true });
    expect(strictnessOf('--real-concurrency', '7')).toEqual({ realConcurrency: 7 });
  });

  it('take the limits of a new account for --strict, and let a single option change its limit', () => {
    expect(strictnessOf('--strict')).toEqual(newAccount);
    expect(strictnessOf('--strict', '--table-units', '200:600', '--real-concurrency', '20')).toEqual({
      ...newAccount,
      tableUnits: { write: 200, read: 600 },
      realConcurrency: 20,
    });
  });

  it.each([
    ['--table-units', '200'],
    ['--table-units', '0:600'],
    ['--table-units', '1.5:600'],
    ['--latency', '10:4'],
    ['--latency', '0:4'],
    ['--latency', 'fast'],
    ['--real-concurrency', '0'],
    ['--real-concurrency', 'all'],
  ])('refuse %s %s in one sentence with the form of the value', (name, value) => {
    expect(() => strictnessOf(name, value)).toThrow(UsageError);
    expect(() => strictnessOf(name, value)).toThrow(new RegExp(`^${name} takes .*, not ${value}\\.$`));
  });

  it('are all in the help, with the limits of --strict', () => {
    for (const name of ['table-units', 'latency', 'real-visibility', 'real-concurrency', 'strict'])
      expect(USAGE).toContain(`--${name} `);
    expect(USAGE).toContain('4000:12000');
  });
});
