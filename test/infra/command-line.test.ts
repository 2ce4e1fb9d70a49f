import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { buildApp } from '../../lib/app.ts';
import { freshFolder } from './stacks.ts';

const root = resolve(import.meta.dirname, '../..');

const cdk = ({ folder = root, args }: { readonly folder?: string; readonly args: readonly string[] }) => {
  const bin = join(root, 'node_modules', '.bin');
  return spawnSync(join(bin, 'cdk'), ['synth', '--quiet', ...args], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 170_000,
    env: { ...process.env, PATH: `${bin}:${process.env['PATH'] ?? ''}` },
  });
};

const Template = v.object({
  Resources: v.record(v.string(), v.object({ Type: v.string(), Properties: v.optional(v.unknown()) })),
});

/** The resources of all stacks, without the metadata that the command line adds. */
const resourcesIn = (folder: string): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    readdirSync(folder)
      .filter((file) => file.endsWith('.template.json'))
      .map((file) => [
        file,
        v.parse(Template, JSON.parse(readFileSync(join(folder, file), 'utf8'))).Resources,
      ]),
  );

describe('cdk synth', () => {
  it('cdk synth gives the stacks of the local stage, bundles included', () => {
    const outdir = freshFolder();
    const { status, stderr } = cdk({ args: ['-c', 'stage=dev', '-o', outdir] });
    expect(stderr).not.toContain('rror');
    expect(status).toBe(0);
    const { directory } = buildApp({ stage: 'dev', outdir: freshFolder() }).synth();
    expect(resourcesIn(outdir)).toEqual(resourcesIn(directory));
    expect(Object.keys(resourcesIn(outdir))).toHaveLength(5);
  }, 180_000);

  it.each([
    ['colour=blue', 'Unknown setting colour: expected one of'],
    [
      'sftp=true',
      'Write sftp into tidemark.dev.json: the next deployment would undo a setting of the command line.',
    ],
  ])(
    'cdk synth refuses the setting %s of the command line in one sentence',
    (setting, sentence) => {
      const { status, stderr } = cdk({ args: ['-c', 'stage=dev', '-c', setting, '-o', freshFolder()] });
      expect(status).not.toBe(0);
      expect(stderr).toContain(sentence);
      expect(stderr).not.toContain('    at ');
    },
    60_000,
  );

  it('cdk synth reads the settings of the stage from its file', () => {
    const folder = freshFolder();
    writeFileSync(join(folder, 'tidemark.dev.json'), '{ "sftp": "often" }');
    const app = `node ${join(root, 'bin/app.ts')}`;
    const { status, stderr } = cdk({ folder, args: ['--app', app, '-c', 'stage=dev', '-o', freshFolder()] });
    expect(status).not.toBe(0);
    expect(stderr).toContain('Setting sftp must be true or false.');
  }, 60_000);
});
