import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scenes } from './alarm-scenes.ts';
import { openStage, type Stage } from './alarm-stage.ts';

/** Longer than any alarm looks back. */
const LONG_SECONDS = 3 * 3_600;

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.service[Symbol.asyncDispose]());

const stateOf = (alarm: string) =>
  stage.service.cloud.parts.watch.cloudwatch.stateOf(`tidemark-local-${alarm}`);

describe('the alarms', () => {
  it('each have a scene that rings them', () => {
    const names = stage.service.cloud.deployment.alarms.map(({ name }) =>
      name.replace('tidemark-local-', ''),
    );
    expect(names.toSorted()).toEqual([...new Set(scenes.flatMap(([alarms]) => alarms))].toSorted());
  });

  it.each(scenes)('%s: %s', async (alarms, _, scene) => {
    const { cloudwatch } = stage.service.cloud.parts.watch;
    const states = () => alarms.map(stateOf);
    cloudwatch.pass(LONG_SECONDS);
    expect(states(), 'before').toEqual(alarms.map(() => 'OK'));
    const mend = await scene(stage);
    cloudwatch.pass(60);
    expect(states()).toEqual(alarms.map(() => 'ALARM'));
    await mend?.();
  });

  it('an alarm tells the topic of its severity, with its section of the runbook', () => {
    const told = stage.service.cloud.parts.topics.notices().map(({ message }) => message);
    expect(told.find((message) => message.includes('"tidemark-local-drain"'))).toContain(
      'docs/runbook.md#drain',
    );
  });
});
