/** Late clients: clients of the SDK that lie beside the bundles, so that a cold start does not compile them. */

/** The module of a client, and the client of this process. */
export interface LateClient<Sdk, Client> {
  readonly sdk: Sdk;
  readonly client: Client;
}

/** Loads the module and makes the client at the first call, once. `lib/constructs/bundle.ts` names the modules. */
export const lateClient = <Sdk, Client>(
  load: () => Promise<Sdk>,
  open: (sdk: Sdk) => Client,
): (() => Promise<LateClient<Sdk, Client>>) => {
  let made: Promise<LateClient<Sdk, Client>> | undefined;
  return () => (made ??= load().then((sdk) => ({ sdk, client: open(sdk) })));
};
