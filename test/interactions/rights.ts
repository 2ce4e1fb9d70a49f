/** What people and operators ask for: forgettings, erasures and objections, with what comes behind them. */
import * as v from 'valibot';
import { findDisclosures } from '../../shared/exports/disclosures/find-disclosures.ts';
import { exportRepository } from '../../shared/exports/model/repository.ts';
import type { ApiRequest } from '../../shared/http/api-types.ts';
import { forgetProfile } from '../../shared/ingest/forget-profile.ts';
import { replayForgettings } from '../../shared/ingest/forgetting-log.ts';
import { createObjection, endObjection } from '../../shared/ingest/objections.ts';
import type { ProfileWriter } from '../../shared/ingest/profile-writer.ts';
import { undoCleanups } from '../../shared/ingest/undo-cleanups.ts';
import type { MomentMembers } from '../../shared/membership/moments.ts';
import { forgottenPeople } from '../../shared/profiles/forgotten-people.ts';
import {
  endedObjectionAnswer,
  objectionAnswer,
  objectionBody,
} from '../../shared/profiles/objection-schemas.ts';
import { forgottenAnswer, forgetQuery } from '../../shared/profiles/schemas.ts';
import type { PropertyScopes } from '../../shared/properties/property-keys.ts';
import { createErasure } from '../../shared/retention/erasures.ts';
import { eraseSegment } from '../../shared/retention/erase-segment.ts';
import { shownErasure } from '../../shared/retention/schemas.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import type { Queue } from '../../shared/runtime/ports.ts';
import { lookAtDue } from '../support/look-at-tasks.ts';
import type { MemoryTable } from '../support/memory-table.ts';
import { answered } from '../support/requests.ts';
import type { Kept } from './kept.ts';

interface Ports {
  readonly ask: <Query, Body>(
    path: Readonly<Record<string, string>>,
    query: Query,
    body: Body,
  ) => ApiRequest<Query, Body>;
  /** Lets an hour pass. */
  readonly hour: () => void;
  readonly table: MemoryTable;
  readonly kept: Kept;
  readonly front: ProfileWriter;
  readonly moments: MomentMembers;
  readonly scopeOf: PropertyScopes;
  readonly drains: Queue;
}

type Identity = Readonly<Record<string, string>>;

export const rights = ({ ask, hour, table, kept, front, moments, scopeOf, drains }: Ports) => {
  const { forgettings, work, exported: files } = kept;
  const ports = { table, clock: () => kept.clock.now };
  const forgotten = forgottenPeople(table);
  const disclosuresOf = findDisclosures({ ...ports, exports: exportRepository(table), files });
  const deps = { ...front, moments, scopeOf, forgettings, forgotten, disclosuresOf };
  return {
    forget: (query: Identity) => {
      hour();
      return answered(forgetProfile(deps, ask({}, v.parse(forgetQuery, query), undefined)), forgottenAnswer);
    },
    /** Forgets everybody in a segment. Throws when it does not have this number of people. */
    erase: async (segment: number, profiles: number): Promise<void> => {
      hour();
      const erasing = { ...deps, catalogue: front.segments, work, ids: systemIds, drains };
      const asked = ask({}, {}, { segment, profiles });
      const { id } = await answered(createErasure(erasing, asked), shownErasure);
      await eraseSegment(erasing, { property: asked.property.id, erasure: id }, () => true);
    },
    /** Objects to every use for whoever has an identity. Returns the id of the objection. */
    object: async (identity: Identity): Promise<string> => {
      hour();
      const asked = ask({}, {}, v.parse(objectionBody, { ...identity, scope: 'use' }));
      return (await answered(createObjection(deps, asked), objectionAnswer)).id;
    },
    endObjection: async (id: string): Promise<void> => {
      hour();
      await answered(endObjection(deps, ask({ objection: id }, {}, undefined)), endedObjectionAnswer);
    },
    /** Cleans the undo logs some hours later. Returns how many properties have had somebody forgotten. */
    cleanUndoLogs: (): Promise<number> => {
      kept.clock.now += 3 * 3_600_000;
      return lookAtDue(ports, { 'undo-cleanup': undoCleanups({ ...deps, work, ids: systemIds }) });
    },
    /** Forgets again who was forgotten since a time, as after a restore. Returns their number. */
    replayForgettings: async (since: string): Promise<number> => {
      let count = 0;
      for (let after: string | null | undefined; after !== null;) {
        const replaying = { ...deps, attemptId: () => systemIds.uuid() };
        const told = await replayForgettings(replaying, { command: 'forgettings.replay', since, after });
        if (!told.ok) throw new Error(JSON.stringify(told.error));
        count += told.value.forgotten;
        after = told.value.next;
      }
      return count;
    },
  };
};
