import { noRoute } from '../../shared/edge/no-route.ts';
import { publicHandler } from '../../shared/edge/public-handler.ts';
import { err } from '../../shared/runtime/result.ts';
import { notFound } from './entries.ts';
import { routes } from './routes.ts';

const known = routes.map(({ paths, trigger }) => ({ method: trigger.method, paths }));

export const handler = publicHandler(
  notFound,
  () => (request) => Promise.resolve(err(noRoute(known, request.rawPath))),
);
