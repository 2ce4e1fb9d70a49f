/** Machine: describes the machine of a result. */
import { execFileSync } from 'node:child_process';
import { availableParallelism, cpus, platform, release, totalmem } from 'node:os';
import * as v from 'valibot';

export const machineSchema = v.object({
  processor: v.string(),
  cores: v.number(),
  memoryGb: v.number(),
  system: v.string(),
  node: v.string(),
});
export type Machine = v.InferOutput<typeof machineSchema>;

/** This machine. */
export const thisMachine = (): Machine => ({
  processor: cpus()[0]?.model.trim() ?? 'unknown',
  cores: availableParallelism(),
  memoryGb: Math.round(totalmem() / 2 ** 30),
  system: `${platform()} ${release()}`,
  node: process.version,
});

/** The commit of the checkout; with a plus if files differ from it. */
export const thisCommit = (): string => {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
  try {
    // The results themselves change with every run.
    const changed = git('status', '--porcelain', '--', ':/', ':!/bench/results', ':!/docs/performance*');
    return `${git('rev-parse', '--short=10', 'HEAD')}${changed === '' ? '' : '+'}`;
  } catch {
    return 'unknown';
  }
};
