/** Entry types: the form of a manifest entry, which describes one function, its trigger, its IAM actions and its alarm. */
import type { GenericSchema } from 'valibot';
import type { BodyRule } from '../shared/http/body-rule.ts';
import type { BodyForm } from '../shared/http/body.ts';
import type { OAuthErrorCode } from '../shared/http/oauth-errors.ts';
import type { Permission } from '../shared/http/permissions.ts';
import type { ProblemCode } from '../shared/http/problem-codes.ts';
import type { LoadClass, ResourceName, SettingName } from '../shared/runtime/env.ts';
import type { Access } from './operations.ts';

export { resources, settings, type ResourceName, type SettingName } from '../shared/runtime/env.ts';

/** What each route of the HTTP API has. */
interface RouteTrigger {
  readonly kind: 'http';
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE' | '$default';
  /** Path with `{parameters}`; empty for `$default`. */
  readonly path: string;
  /** A word for each path parameter that accepts the word in place of an id. The query then names the thing. */
  readonly idWords?: Readonly<Record<string, string>>;
  /** Whether the contract marks the operation as internal: the OpenAPI document has `x-internal: true` for it. */
  readonly internal?: true;
  readonly query?: GenericSchema;
  readonly body?: GenericSchema;
  /** Other forms of the body, besides JSON. */
  readonly bodyForms?: readonly BodyForm[];
  /** Rules over several fields of the body: a client learns their faults together with those of the schema. */
  readonly bodyRules?: readonly BodyRule[];
  /** Member of the body whose elements the use case judges one by one, so that a bad one fails only itself. */
  readonly judgedApart?: string;
  /** Whether the route shows data of one person or of many people: then no answer goes out before the audit log has it. */
  readonly shows?: 'person' | 'people';
  /** Members that a GET shows and no client can set, besides `readOnlyFields`. They are ignored in a body. */
  readonly shownOnly?: readonly string[];
  /** How long answers are kept for an `Idempotency-Key`, where it is not the service's 24 hours. */
  readonly idempotencyHours?: number;
  /** Shape of the successful answer, for the OpenAPI document and the tests. */
  readonly answer?: GenericSchema;
  /** Status codes of success. */
  readonly statuses: readonly number[];
  /** Codes of problems besides those that follow from the method, the authentication and the body (`codesOf`). */
  readonly codes?: readonly ProblemCode[];
  /** Errors of RFC 6749, for a route that answers with them in place of problems, besides those of every such route. */
  readonly oauthErrors?: readonly OAuthErrorCode[];
  /** Whether a browser gets problems as pages, because people open the address. */
  readonly problemPages?: true;
  /** Headers of a success that only some routes send. */
  readonly headers?: readonly ('Link' | 'Content-Disposition')[];
  /** Media types in which the route can answer, where JSON is not the only one. */
  readonly mediaTypes?: readonly string[];
}

/** A route without a token. */
interface OpenTrigger extends RouteTrigger {
  readonly auth: 'none';
}

/** A route with a token. */
export interface TokenTrigger extends RouteTrigger {
  readonly auth: 'token';
  /** What a token needs for the route; null where a route is about the caller alone, so that any token will do. */
  readonly permission: Permission | null;
}

/** A route of the HTTP API. */
export type HttpTrigger = OpenTrigger | TokenTrigger;

/** A number of executions, or the name of the setting of the stage that holds it. */
export type Ceiling = number | 'readExecutions' | 'importExecutions' | 'drainExecutions';

/** Messages of a queue, in batches, with partial failures reported. */
export interface QueueTrigger {
  readonly kind: 'queue';
  readonly queue: 'importBatches' | 'drains' | 'fileEvents' | 'enrichments' | 'exportRuns';
  readonly batchSize: number;
  readonly windowSeconds?: number;
  /** The most concurrent batches. */
  readonly maxConcurrency?: Ceiling;
  /** Whether messages may wait for hours, as the rows of a large file do. An old message alone is then no fault. */
  readonly backlog?: true;
}

/** A task of a Step Functions workflow; the workflow's definition names the function. */
export interface WorkflowTrigger {
  readonly kind: 'workflow';
  readonly workflow: 'importFile' | 'undoJob' | 'runExport' | 'deliverExport';
}

/** Called by EventBridge Scheduler. */
export interface ScheduleTrigger {
  readonly kind: 'schedule';
  readonly expression: string;
}

/** Called by name, by the operator command line. */
export interface InvokeTrigger {
  readonly kind: 'invoke';
}

/** Asked by the SFTP server who may log in. */
export interface IdentityTrigger {
  readonly kind: 'identity';
}

/** The lines of a log that count: those with this value in a field of their JSON. */
export interface LinesWhere {
  readonly field: string;
  readonly value: string;
}

/** Told of lines in a log that another service writes: the log of the SFTP server. */
export interface LogTrigger {
  readonly kind: 'log';
  readonly log: 'sftp';
  readonly where: LinesWhere;
}

export type Trigger =
  | HttpTrigger
  | QueueTrigger
  | WorkflowTrigger
  | ScheduleTrigger
  | InvokeTrigger
  | IdentityTrigger
  | LogTrigger;

/** `page`: clients suffer now, and somebody must act at once. `ticket`: the next working day is soon enough. */
export type Severity = 'page' | 'ticket';

/** The alarm of a function. Alarms of its queue use the same words and the same severity. */
export interface FunctionAlarm {
  readonly severity: Severity;
  /** The effect on users when the function fails, as a sentence without full stop. */
  readonly impact: string;
}

/** The load class of a trigger: a client waits for the answer to a request or to a login, and for nothing else. */
export const loadClassOf = ({ kind }: Trigger): LoadClass =>
  kind === 'http' || kind === 'identity' ? 'interactive' : 'bulk';

/**
 * One function of the service, as the stacks, the embedded cloud, the OpenAPI document and the tests know it. `To` and
 * `Setting` are the resources and settings that it names: the wrappers derive the type of its environment from them.
 */
export interface FunctionEntry<
  T extends Trigger = Trigger,
  To extends ResourceName = ResourceName,
  Setting extends SettingName = SettingName,
> {
  /** Handler source below `functions/`, without the ending: `profiles/create-profile`. */
  readonly source: string;
  readonly summary: string;
  readonly stack: 'data' | 'api' | 'import' | 'export';
  readonly trigger: T;
  readonly memoryMb: number;
  readonly timeoutSeconds: number;
  /** What the function does with each resource. Its role allows this and nothing else (besides its own log group). */
  readonly access: Access<To>;
  readonly settings?: readonly Setting[];
  /**
   * Files beside the code: the name of each, to which `.gz` is added, and what it holds: files of npm packages, or a script or
   * a style sheet of `console/`, which is built for browsers.
   */
  readonly files?: Readonly<Record<string, readonly string[]>>;
  /** Executions kept free for this function, in stages that reserve; also the most that it gets there. */
  readonly reservedConcurrency?: Ceiling;
  /** Only the stage `local` has it. */
  readonly localOnly?: true;
  /** Only stages have it in which the setting of this name is on. */
  readonly optional?: 'console';
  /**
   * The alarm on errors of this function. Each function has one, except routes (one alarm watches all routes) and the
   * commands of operators (who see the error themselves).
   */
  readonly alarm?: FunctionAlarm;
}

/** The resources that follow from a trigger. */
type Implied<T extends Trigger> = T extends QueueTrigger
  ? T['queue']
  : T extends TokenTrigger
    ? 'credentials' | 'rates' | 'auditLog' | (T extends { readonly method: 'POST' } ? 'table' : never)
    : never;

/** An entry with the access and the settings that follow from its trigger. */
type Complete<T extends Trigger, To extends ResourceName, Setting extends SettingName> = FunctionEntry<
  T,
  To | Implied<T>,
  Setting | (T extends TokenTrigger ? 'accountRate' : never)
>;

/**
 * Declares a function. Besides its own access it has what follows from its trigger (`grantsOf`). The declaration is a
 * function and each call is marked `@__PURE__`, so that a bundle keeps only the entry of its own handler (1 to 9 KB less).
 */
export function entry<const T extends Trigger, To extends ResourceName, Setting extends SettingName = never>(
  declare: () => FunctionEntry<T, To, Setting>,
): Complete<T, To, Setting>;
export function entry(declare: () => FunctionEntry): FunctionEntry {
  return declare();
}

type RouteRest = Pick<TokenTrigger, 'permission'> &
  Partial<Omit<TokenTrigger, 'kind' | 'method' | 'path' | 'auth' | 'permission'>>;

/** A trigger with the defaults of a route. */
type Route<Method, Rest> = Omit<TokenTrigger, keyof RouteRest | 'method'> & {
  readonly method: Method;
  readonly statuses: readonly number[];
} & Rest;

/** The trigger of a route with a token, which answers 200 unless `rest` says otherwise. */
export const route = <const Method extends HttpTrigger['method'], const Rest extends RouteRest>(
  method: Method,
  path: string,
  rest: Rest,
): Route<Method, Rest> => ({ kind: 'http', auth: 'token', statuses: [200], method, path, ...rest });

/** A function behind a route, in a stack: API Gateway gives up after 30 s. */
export const apiFunction = (stack: FunctionEntry['stack']) =>
  ({ stack, memoryMb: 512, timeoutSeconds: 29 }) as const;

/** A function behind a route that reads, and whose answer has links (`linkDeps`): to the next page, or to a file. */
export const linkFunction = (stack: FunctionEntry['stack']) =>
  ({
    ...apiFunction(stack),
    access: { table: ['read', 'query'], propertyKey: ['decrypt'] },
    settings: ['baseUrl'],
  }) as const;

/** A function behind a queue or in a workflow, in a stack. */
export const taskFunction = (stack: FunctionEntry['stack']) =>
  ({ stack, memoryMb: 1024, timeoutSeconds: 900 }) as const;

/** The routes that clients from before the versions know: those of imports and of exports. */
const unversioned = /^\/v1\/\{property_id\}\/(imports|import-data|exports)(\/|$)/;

/** All paths of a route: those under `/v1` are also under `/api`, and some of them without the version. */
export const pathsOf = ({ path }: HttpTrigger): readonly string[] => [
  path,
  ...(path.startsWith('/v1/') ? [`/api${path}`] : []),
  ...(unversioned.test(path) ? [path.replace('/v1', '')] : []),
];

/**
 * The route keys of a route in API Gateway: its method with each of its paths, and HEAD wherever it takes GET. The gateway
 * itself answers a HEAD only where a route names it, and leaves out the body.
 */
export const routeKeysOf = (trigger: HttpTrigger): readonly string[] => {
  if (trigger.method === '$default') return ['$default'];
  const methods = trigger.method === 'GET' ? ['GET', 'HEAD'] : [trigger.method];
  return methods.flatMap((method) => pathsOf(trigger).map((path) => `${method} ${path}`));
};
