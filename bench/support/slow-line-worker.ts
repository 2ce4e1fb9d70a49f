/** The thread behind `openSlowLine`. */
import { connect, createServer, type Socket } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import * as v from 'valibot';
import { listen } from '../../local/core/loopback.ts';

const { to, delay } = v.parse(v.object({ to: v.number(), delay: v.number() }), workerData);

/** Forwards pieces in order, each `delay` after its arrival. */
const carry = (from: Socket, onto: Socket): void => {
  const underWay: { readonly due: number; readonly piece: Buffer | undefined }[] = [];
  let timer: NodeJS.Timeout | undefined;
  const deliver = (): void => {
    timer = undefined;
    while (underWay[0] && underWay[0].due <= performance.now()) {
      const { piece } = underWay.shift() ?? {};
      if (piece) onto.write(piece);
      else onto.end();
    }
    schedule();
  };
  const schedule = (): void => {
    if (underWay[0]) timer ??= setTimeout(deliver, Math.max(0, underWay[0].due - performance.now()));
  };
  const take = (piece: Buffer | undefined): void => {
    underWay.push({ due: performance.now() + delay, piece });
    schedule();
  };
  from.on('data', take);
  from.on('end', () => take(undefined));
};

const server = createServer({ allowHalfOpen: true, noDelay: true }, (near) => {
  const far = connect({ port: to, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
  for (const [one, other] of [
    [near, far],
    [far, near],
  ] as const) {
    one.on('error', () => other.destroy());
    one.on('close', () => other.destroySoon());
  }
  carry(near, far);
  carry(far, near);
});
parentPort?.postMessage({ port: await listen(server) });
