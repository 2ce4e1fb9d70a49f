import { answerWithoutRoute } from '../../shared/edge/no-route.ts';
import { publicHandler } from '../../shared/edge/public-handler.ts';
import * as entries from './entries.ts';
import { routes } from './routes.ts';

export const handler = publicHandler(
  entries.notFound,
  (known, request) => Promise.resolve(answerWithoutRoute(known, request)),
  () => routes.map(({ paths, trigger }) => ({ method: trigger.method, paths })),
);
