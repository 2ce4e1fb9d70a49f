import type { Service } from './service.ts';

/** Runs an operator command on a service; returns the function's answer, or nothing when it failed. */
export const operate = async (
  { cloud }: Service,
  command: Readonly<Record<string, unknown>>,
): Promise<unknown> => {
  const outcome = await cloud.invoke('operator', command);
  return outcome.ok ? JSON.parse(outcome.payload) : undefined;
};
