import { DeploymentError } from '../assembly/template.ts';
import { ServiceRunningError } from '../cloud/endpoints.ts';
import { UsageError } from './options.ts';

/** The error message of a failed start: one sentence for a mistake of the user, the whole error otherwise. */
export const explain = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof UsageError || error instanceof DeploymentError) return error.message;
  if (error instanceof ServiceRunningError || error.name === 'ConfigurationError') return error.message;
  if (isLocked(error))
    return 'Another process uses the data folder; stop that process, or choose another folder with --data.';
  if ('code' in error && error.code === 'EADDRINUSE') {
    const port = 'port' in error ? ` ${String(error.port)}` : '';
    return `The port${port} is taken; choose another with --port, or let --port 0 pick one.`;
  }
  if ('code' in error && error.code === 'EACCES') return `${error.message}; choose another port with --port.`;
  return error.stack ?? error.message;
};

/** Whether an error of the database, or its cause, says that another process has the database open. */
const isLocked = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && error.code === 'LEVEL_LOCKED') || isLocked(error.cause));
