/** Topics of SNS: what was published to them. Nobody is called, because the embedded cloud has no subscribers. */

/** A published message. */
export interface Notice {
  /** ARN of the topic. */
  readonly topic: string;
  readonly message: string;
}

/** Creates the topics. `seen` gets each message. */
export const createTopics = (seen: (notice: Notice) => void = () => undefined) => {
  const notices: Notice[] = [];
  return {
    publish: (topic: string, message: string) => {
      notices.push({ topic, message });
      seen({ topic, message });
    },
    /** All messages of this run, the oldest first. */
    notices: (): readonly Notice[] => [...notices],
  };
};

/** The topics. */
export type Topics = ReturnType<typeof createTopics>;
