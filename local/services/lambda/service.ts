import { arn } from '../../core/arn.ts';
import type { AwsRequest, AwsResponse, AwsService, NeededPermission } from '../../core/types.ts';
import { ServiceError } from '../../core/service-error.ts';
import { ASYNC_PAYLOAD_BYTES } from './outcome.ts';
import { refuseLarger, type Runner } from './runner.ts';

const TYPES: readonly string[] = ['RequestResponse', 'Event', 'DryRun'];
const PATH = /^\/2015-03-31\/functions\/([^/]+)\/invocations\/?$/;

/** The function of a call, by its name or its ARN. */
const functionOf = (request: AwsRequest): string => {
  const given = decodeURIComponent(PATH.exec(request.path)?.[1] ?? '');
  const name = given.startsWith('arn:') ? given.split(':')[6] : given.split(':')[0];
  if (!name) throw new ServiceError('UnknownOperationException', `${request.method} ${request.path}`, 404);
  return name;
};

/** Lambda's Invoke behind the gateway: for the operator's command line and for functions that invoke each other. */
export const lambdaService = (runner: Runner): AwsService => ({
  name: 'lambda',
  permissions: (request): readonly NeededPermission[] => [
    { action: 'lambda:InvokeFunction', resource: arn('lambda', `function:${functionOf(request)}`) },
  ],
  handle: (request) => invoke(runner, request),
});

const invoke = async (runner: Runner, request: AwsRequest): Promise<AwsResponse> => {
  const name = functionOf(request);
  const payload = Buffer.isBuffer(request.body) ? request.body.toString('utf8') : '';
  const event = payload === '' ? '{}' : payload;
  const type = request.headers['x-amz-invocation-type'] ?? 'RequestResponse';
  if (!TYPES.includes(type))
    throw new ServiceError('InvalidParameterValueException', `The invocation type ${type} is not known`);
  if (!runner.has(name))
    throw new ServiceError('ResourceNotFoundException', `Function not found: ${name}`, 404);
  // A dry run only checks the permission, and the gateway has already done this.
  if (type === 'DryRun') return { status: 204, headers: {}, body: '' };
  if (type === 'Event') {
    refuseLarger(event, ASYNC_PAYLOAD_BYTES);
    void runner.enqueue(name, event);
    return { status: 202, headers: {}, body: '' };
  }
  const outcome = await runner.invoke(name, event);
  const headers = { 'content-type': 'application/json', 'x-amz-executed-version': '$LATEST' };
  if (outcome.ok) return { status: 200, headers, body: outcome.payload };
  const failed = { ...headers, 'x-amz-function-error': 'Unhandled' };
  return { status: 200, headers: failed, body: JSON.stringify(outcome.failure) };
};
