/**
 * Pointers from phone numbers: a forgetting leaves none, whatever numbers the person ever had, and whoever writes
 * beside it.
 */
import { describe, expect, it } from 'vitest';
import { profileRepository } from '../../shared/profiles/profile-repository.ts';
import { kindOfKey } from '../../cli/standalone/item-kinds.ts';
import { accepted, scope } from '../profiles/harness.ts';
import { frozenAtWrite } from '../support/frozen.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { ofJob, withJobs, jobs } from './undo-harness.ts';

const [JOB, OTHER] = jobs;
const ann = { email: 'ann@example.org' };
const [first, second] = ['+4915112345678', '+4915187654321'];

/** A table whose process dies at the first write of a profile that is armed. */
class MortalTable extends MemoryTable {
  dies = false;
  override writeMany(...args: Parameters<MemoryTable['writeMany']>) {
    if (this.dies && args[0].some(({ key }) => kindOfKey(key.pk) === 'profile')) throw new Error('killed');
    return super.writeMany(...args);
  }
}

const scene = async () => {
  const { table, harness } = await withJobs(new MortalTable(), [JOB, OTHER]);
  const pointers = () => table.items('phone-pointer').length;
  const shows = async (phone: string) =>
    (await profileRepository({ table }).findByPhone(scope, phone, 100)).map(({ fields }) => fields.email);
  const create = async (record: Readonly<Record<string, unknown>> = ann): Promise<number> => {
    const [created] = await harness.post(accepted(record, 1));
    if (created?.kind !== 'created') throw new Error('nobody was created');
    return created.ordinal;
  };
  /** A writer that stands still before it writes a profile. */
  const standing = () => frozenAtWrite(table, 'update', 'profile');
  return { table, harness, pointers, shows, create, standing };
};

describe('a forgetting removes every pointer from a phone number', () => {
  it('also from a number that the person had before', async () => {
    const { harness, pointers, shows, create } = await scene();
    const ordinal = await create({ ...ann, phone_number: first });
    await harness.post(accepted({ ...ann, phone_number: second }, 2));
    expect([await shows(first), await shows(second)]).toEqual([[], [ann.email]]);
    await harness.post(accepted({ ...ann, phone_number: first }, 3));
    expect([await shows(first), await shows(second)]).toEqual([[ann.email], []]);
    expect(pointers()).toBe(2);
    await harness.forget(ordinal);
    expect(pointers()).toBe(0);
  });

  it('also from a number that an undo took away, and from one that it gave back', async () => {
    const { harness, pointers, shows, create } = await scene();
    const ordinal = await create();
    await harness.apply([ofJob(OTHER, { ...ann, phone_number: first }, 4)]);
    await harness.apply([ofJob(JOB, { ...ann, phone_number: second }, 5)]);
    expect(await harness.undo(JOB)).toBe(true);
    expect([await shows(first), await shows(second)]).toEqual([[ann.email], []]);
    await harness.forget(ordinal);
    expect(pointers()).toBe(0);
  });

  it('also from the number of a record that is under way', async () => {
    const { harness, pointers, create, standing } = await scene();
    const ordinal = await create();
    const batch = await standing().during(
      (view) => harness.apply([ofJob(JOB, { ...ann, phone_number: first }, 5)], view),
      () => harness.forget(ordinal),
    );
    expect(batch).toMatchObject([{ kind: 'forgotten' }]);
    expect(pointers()).toBe(0);
  });

  it('also from the number of a record that a newer number overtook', async () => {
    const { harness, pointers, shows, create, standing } = await scene();
    const ordinal = await create();
    const batch = await standing().during(
      (view) => harness.apply([ofJob(JOB, { ...ann, phone_number: first }, 5)], view),
      () => harness.post(accepted({ ...ann, phone_number: second }, 9)),
    );
    expect(batch).toMatchObject([{ kind: 'updated' }]);
    expect([await shows(first), await shows(second)]).toEqual([[], [ann.email]]);
    await harness.forget(ordinal);
    expect(pointers()).toBe(0);
  });

  it.each(['before', 'after'])('also from the number of a record that comes again %s it', async (when) => {
    const { table, harness, pointers, create } = await scene();
    const ordinal = await create();
    const record = ofJob(JOB, { ...ann, phone_number: first }, 5);
    table.dies = true;
    await expect(harness.apply([record])).rejects.toThrow('killed');
    table.dies = false;
    expect(pointers()).toBe(1);
    if (when === 'before') {
      // A newer number hides that of the record.
      await harness.post(accepted({ ...ann, phone_number: second }, 9));
      await harness.apply([record]);
    }
    await harness.forget(ordinal);
    if (when === 'after') await harness.apply([record]);
    expect(pointers()).toBe(0);
  });
});

describe('a record that comes again after its person lost the identity', () => {
  const record = ofJob(JOB, { ...ann, phone_number: first }, 5);

  /** The first attempt at the record dies; then a job is undone, and the record comes again. */
  const comesAgainAfter = async (undone: number) => {
    const own = await scene();
    const [created] = await own.harness.apply([ofJob(OTHER, ann, 4)]);
    own.table.dies = true;
    await expect(own.harness.apply([record])).rejects.toThrow('killed');
    own.table.dies = false;
    expect(await own.harness.undo(undone)).toBe(true);
    const [stored] = await own.harness.apply([record]);
    return { ...own, earlier: created?.kind === 'created' ? created.ordinal : NaN, stored };
  };

  it('to an undo leaves no pointer that a forgetting does not find', async () => {
    const { harness, pointers, shows, earlier, stored } = await comesAgainAfter(OTHER);
    if (stored?.kind !== 'created') throw new Error('the record is stored at nobody new');
    expect([await shows(first), pointers()]).toEqual([[ann.email], 2]);
    for (const ordinal of [earlier, stored.ordinal]) await harness.forget(ordinal);
    expect(pointers()).toBe(0);
  });

  it('to an undo of its own job leaves none either, although it is refused', async () => {
    const { harness, pointers, earlier, stored } = await comesAgainAfter(JOB);
    expect(stored).toMatchObject({ kind: 'refused', refusal: { code: 'undone' } });
    expect(pointers()).toBe(1);
    await harness.forget(earlier);
    expect(pointers()).toBe(0);
  });
});

describe('a request that dies before its profile write and never comes again', () => {
  it('leaves a claim and a pointer that find nobody, and that the next owner takes over', async () => {
    const { table, harness, pointers, shows, create } = await scene();
    const ordinal = await create();
    const sent = { ...ann, unique_id: 'u1', phone_number: first };
    table.dies = true;
    await expect(harness.post(accepted(sent, 2))).rejects.toThrow('killed');
    table.dies = false;
    const profiles = profileRepository({ table });
    const finds = async () => [
      (await profiles.findByIdentity(scope, { kind: 'unique_id', value: 'u1' }))?.ordinal,
      await shows(first),
    ];
    expect(await finds()).toEqual([undefined, []]);
    await harness.forget(ordinal);
    expect(pointers()).toBe(1);
    expect(await finds()).toEqual([undefined, []]);
    const next = await create(sent);
    expect(next).not.toBe(ordinal);
    expect(await finds()).toEqual([next, [ann.email]]);
    await harness.forget(next);
    expect(await finds()).toEqual([undefined, []]);
    expect(pointers()).toBe(1);
  });

  it('leaves a pointer that goes with the person when another record has the number', async () => {
    const { table, harness, pointers, create } = await scene();
    const ordinal = await create();
    table.dies = true;
    await expect(harness.post(accepted({ ...ann, phone_number: first }, 2))).rejects.toThrow('killed');
    table.dies = false;
    await harness.post(accepted({ ...ann, phone_number: first }, 3));
    await harness.forget(ordinal);
    expect(pointers()).toBe(0);
  });
});

describe('a lookup by phone number', () => {
  it('finds who has the number now behind many who had it', async () => {
    const { harness, shows } = await scene();
    for (let person = 0; person < 130; person += 1) {
      const email = `p${person}@example.org`;
      await harness.post(accepted({ email, phone_number: first }, 2 * person));
      if (person < 129) await harness.post(accepted({ email, phone_number: second }, 2 * person + 1));
    }
    expect(await shows(first)).toEqual(['p129@example.org']);
    expect(await shows(second)).toHaveLength(100);
  });
});
