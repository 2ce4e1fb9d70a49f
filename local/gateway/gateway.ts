/**
 * The one door of the embedded cloud: every AWS SDK of the functions comes here through `AWS_ENDPOINT_URL`.
 * A call is identified by its access key id, routed by the service of its credential scope, checked against the
 * caller's policy, metered, perhaps disturbed, and answered by the service that owns it.
 *
 *     const gateway = await createGateway({ faults: parseFaults('42:0.1') });   // listens on 127.0.0.1
 *     gateway.addService(table.service);                                        // any order, before the first call
 *     gateway.registerCaller({ accessKeyId, secretAccessKey, name, principal, policy });
 *     process.env.AWS_ENDPOINT_URL = gateway.url;                               // S3 clients: forcePathStyle
 *     const giveBack = gateway.withoutAction('import-batch', 's3:GetObject');   // least-privilege tests
 *     gateway.denials.list(); gateway.used(); gateway.meter.snapshot();
 *     await gateway.close();
 *
 * Unsigned calls and unknown keys get 403. Presigned S3 URLs are verified (signature and expiry) and run with the
 * policy of who signed them. Requests with an Authorization header are trusted to be who they say: all callers are
 * on this machine, and hashing every body twice would halve the speed. The caller named `operator` passes IAM like
 * anyone else but is never disturbed by faults.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AwsService, NeededPermission } from '../core/types.ts';
import { createCallers, type Denials, type RegisteredCaller, type UsedAction } from './callers.ts';
import type { Faults } from '../core/faults.ts';
import { serve } from './pipeline.ts';
import { createMeter, type Meter } from './meter.ts';

/** How to open the gateway. Port 0 (the default) picks a free one. */
export interface GatewayOptions {
  readonly port?: number;
  readonly faults?: Faults;
}

/** The running gateway. */
export interface Gateway {
  readonly url: string;
  readonly meter: Meter;
  readonly denials: Denials;
  addService(service: AwsService): void;
  /** Throws when the policy holds an operator or a key that the evaluator does not know. */
  registerCaller(caller: RegisteredCaller): void;
  /**
   * Takes one action (exact name, `s3:GetObject`), on one resource or on all, away from a caller until the returned
   * function is called.
   */
  withoutAction(callerName: string, action: string, resource?: string): () => void;
  used(): readonly UsedAction[];
  /**
   * Checks a call that a part of this process makes for a caller, as if it had come over HTTP. Throws AccessDenied
   * (a ServiceError) and records the denial.
   */
  authorize(accessKeyId: string, needed: readonly NeededPermission[]): void;
  close(): Promise<void>;
}

/** Starts the gateway on loopback. */
export const createGateway = async (options: GatewayOptions = {}): Promise<Gateway> => {
  const services = new Map<string, AwsService>();
  const callers = createCallers();
  const meter = createMeter();
  const server = createServer({ keepAliveTimeout: 60_000, requestTimeout: 0 }, (request, response) => {
    void serve(
      { services, callers, meter, ...(options.faults ? { faults: options.faults } : {}) },
      request,
      response,
    );
  });
  const port = await listen(server, options.port ?? 0);
  return {
    url: `http://127.0.0.1:${port}`,
    meter,
    denials: callers.denials,
    addService: (service) => void services.set(service.name, service),
    registerCaller: (caller) => callers.register(caller),
    withoutAction: (callerName, action, resource) => callers.withoutAction(callerName, action, resource),
    used: () => callers.used(),
    authorize: (accessKeyId, needed) => {
      const caller = callers.find(accessKeyId);
      if (!caller) throw new Error(`no caller has the access key ${accessKeyId}`);
      callers.authorize(caller, needed);
    },
    close: () => close(server),
  };
};

const listen = (server: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      resolve(isAddress(address) ? address.port : port);
    });
  });

const isAddress = (address: string | AddressInfo | null): address is AddressInfo =>
  typeof address === 'object' && address !== null;

/** Ends calls that still run: at a stop nobody waits for their answers. */
const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
