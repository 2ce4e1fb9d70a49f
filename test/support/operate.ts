import type { TestService } from './service.ts';

/** Runs an operator command on a service; answers what the function answered, or nothing when it failed. */
export const operate = async (
  { cloud }: TestService,
  command: Readonly<Record<string, unknown>>,
): Promise<unknown> => {
  const outcome = await cloud.invoke('operator', command);
  return outcome.ok ? JSON.parse(outcome.payload) : undefined;
};
