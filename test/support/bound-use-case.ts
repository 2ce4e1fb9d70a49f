import type { UseCase } from '../../shared/http/api-types.ts';

/** A use case with its ports. */
export type BoundUseCase<Query> = (
  request: Parameters<UseCase<unknown, Query>>[1],
) => ReturnType<UseCase<unknown, Query>>;
