/**
 * Gateway: the single AWS endpoint of the embedded cloud. All AWS SDKs of the functions call it through
 * `AWS_ENDPOINT_URL`.
 * The gateway identifies a caller by its access key id, finds the service in the credential scope, checks the caller's
 * policy,
 * counts the call, may delay it or inject a fault, and passes the call to the service.
 *
 *     const gateway = await createGateway({ faults: parseFaults('42:0.1') });   // listens on 127.0.0.1
 *     gateway.addService(table.service);                                        // any order, before the first call
 *     gateway.registerCaller({ accessKeyId, secretAccessKey, name, principal, policy });
 *     process.env.AWS_ENDPOINT_URL = gateway.url;                               // S3 clients: forcePathStyle
 *     const giveBack = gateway.withoutAction('import-batch', 's3:GetObject');   // a call without a right
 *     gateway.denials.list(); gateway.meter.snapshot();
 *     await gateway.close();
 *
 * Unsigned calls, unknown keys and made-up signatures get 403, and calls that name another machine 421. The gateway
 * verifies the signature and expiry of presigned S3 URLs, and runs them with the policy of their signer. It trusts the
 * calls of its own threads over their ports, and the hash that a signed call to S3 states of its body: hashing every body
 * twice would halve the speed. IAM applies to the callers `operator` and `seed` too, but faults never do.
 */
import { createServer } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { MessagePort } from 'node:worker_threads';
import type { AwsService, NeededPermission } from '../core/types.ts';
import type { KeyGuard } from '../core/key-guard.ts';
import { createCallers, type RegisteredCaller, type UsedAction } from './callers.ts';
import type { Faults } from '../core/faults.ts';
import type { Latency } from '../core/latency.ts';
import { listenHttp } from '../core/loopback.ts';
import { createMeter } from './meter.ts';
import { serve } from './over-http.ts';
import { answerCalls, servePort } from './over-port.ts';
import type { CallObserver, PipelineContext } from './pipeline.ts';

/** Options of the gateway. Port 0, the default, picks a free port. */
export interface GatewayOptions {
  readonly port?: number;
  readonly faults?: Faults;
  /** The time that each call takes. The default is none. */
  readonly latency?: Latency;
  /** Waits for a part of the latency. The default is a timer. */
  readonly pause?: (milliseconds: number) => Promise<unknown>;
}

/** Starts the gateway on loopback. */
export const createGateway = async (options: GatewayOptions = {}) => {
  const services = new Map<string, AwsService>();
  const callers = createCallers();
  const meter = createMeter();
  const failing = new Set<string>();
  const observers = new Set<CallObserver>();
  const context: PipelineContext = {
    services,
    callers,
    meter,
    failing,
    observers,
    faults: options.faults,
    latency: options.latency,
    pause: options.pause ?? setTimeout,
  };
  const server = createServer({ keepAliveTimeout: 60_000, requestTimeout: 0 }, (request, response) => {
    void serve(context, request, response);
  });
  const { url, close } = await listenHttp(server, options.port);
  const ports = new Set<MessagePort>();
  const call = answerCalls(context);
  return {
    url,
    meter,
    denials: callers.denials,
    addService: (service: AwsService) => void services.set(service.name, service),
    /** A port over which one worker thread makes its JSON calls. It takes `ToGateway` and gives `FromGateway`. */
    openPort: (): MessagePort => servePort(call, ports),
    /** Answers a JSON call of a function in this thread. */
    call,
    /** Number of the ports that are open. A port closes after the end of its worker thread. */
    openPorts: (): number => ports.size,
    /** Throws when the policy contains an unknown condition operator or key. */
    registerCaller: (caller: RegisteredCaller) => callers.register(caller),
    /** Checks the keys of encrypted resources from now on. Without a guard, every caller may use every key. */
    guardKeys: (guard: KeyGuard) => callers.guardKeys(guard),
    /**
     * Takes one action (its exact name, such as `s3:GetObject`), on one resource or on all, away from a caller. The
     * returned function gives the action back.
     */
    withoutAction: (callerName: string, action: string, resource?: string): (() => void) =>
      callers.withoutAction(callerName, action, resource),
    /**
     * Answers each call of a caller with an internal error, except calls to queues, until the returned function is called.
     */
    failing: (callerName: string): (() => void) => {
      failing.add(callerName);
      return () => void failing.delete(callerName);
    },
    /** Calls `seen` after IAM allowed an action, for every later call. Returns a function that ends this. */
    observeUses: (seen: (use: UsedAction) => void): (() => void) => callers.observeUses(seen),
    /** Calls `seen` after every later call over HTTP or a port. Returns a function that ends this. */
    observeCalls: (seen: CallObserver): (() => void) => {
      observers.add(seen);
      return () => void observers.delete(seen);
    },
    /**
     * Checks a call that a part of this process makes for a caller, as if the call came over HTTP. Throws AccessDenied (a
     * ServiceError) and records the denial.
     */
    authorize: (accessKeyId: string, needed: readonly NeededPermission[]) => {
      const caller = callers.find(accessKeyId);
      if (!caller) throw new Error(`no caller has the access key ${accessKeyId}`);
      callers.authorize(caller, needed);
    },
    close: (): Promise<void> => {
      for (const one of ports) one.close();
      return close();
    },
  };
};

/** The running gateway. */
export type Gateway = Awaited<ReturnType<typeof createGateway>>;
