import { DeploymentError } from '../assembly/template.ts';
import { UsageError } from './options.ts';

/** The error message of a failed start: one sentence for a mistake of the user, the whole error otherwise. */
export const explain = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof UsageError || error instanceof DeploymentError) return error.message;
  if (error.name === 'ConfigurationError') return error.message;
  if ('code' in error && error.code === 'EADDRINUSE') {
    const port = 'port' in error ? ` ${String(error.port)}` : '';
    return `The port${port} is taken; choose another with --port, or let --port 0 pick one.`;
  }
  if ('code' in error && error.code === 'EACCES') return `${error.message}; choose another port with --port.`;
  return error.stack ?? error.message;
};
