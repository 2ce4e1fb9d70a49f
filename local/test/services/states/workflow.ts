import { afterEach } from 'vitest';
import type { Outcome } from '../../../services/lambda/outcome.ts';
import { createEngine, type Engine } from '../../../services/states/engine.ts';
import { openLedger, type Execution } from '../../../services/states/ledger.ts';
import { until } from '../../support/until.ts';

export const MACHINE = 'arn:aws:states:us-east-1:000000000000:stateMachine:m';

/** What a test may choose of an engine. */
interface Options {
  readonly dataDir?: string | undefined;
  readonly invoke?: (name: string, payload: string) => Promise<Outcome>;
  readonly requireRole?: () => void;
  readonly warm?: (name: string) => void;
  readonly send?: (...message: readonly unknown[]) => void;
}

/** Engines of one workflow, which stop after each test. */
export const workflowEngines = () => {
  const engines: Engine[] = [];
  afterEach(async () => {
    for (const engine of engines.splice(0)) {
      await engine.stop();
      engine.ledger.close();
    }
  });
  return (workflow: object, options: Options = {}): Engine => {
    const engine = createEngine({
      now: Date.now,
      ledger: openLedger(options.dataDir, Date.now()),
      machines: [{ arn: MACHINE, name: 'M', definition: JSON.stringify(workflow), roleArn: 'role' }],
      ports: {
        authority: { requireRole: options.requireRole ?? (() => undefined), requireService: () => undefined },
        warmFunction: options.warm ?? (() => undefined),
        invokeFunction: options.invoke ?? (() => Promise.resolve({ ok: true, payload: '{}' })),
        functionArn: (name) => `arn:${name}`,
        queueArn: (url) => url,
        sendMessage: options.send ?? (() => undefined),
      },
    });
    engines.push(engine);
    return engine;
  };
};

/** An execution once it is over. */
export const finished = (engine: Engine, name: string): Promise<Execution> =>
  until(`${name} is over`, () =>
    engine.ledger.all().find((one) => one.name === name && one.status !== 'RUNNING'),
  );
