/** Topics of SNS: what was published to them. Nobody is called, because the embedded cloud has no subscribers. */

/** A published message. */
export interface Notice {
  /** ARN of the topic. */
  readonly topic: string;
  readonly message: string;
}

/** The topics. */
export interface Topics {
  publish(topic: string, message: string): void;
  /** All messages of this run, the oldest first. */
  notices(): readonly Notice[];
}

/** Creates the topics. `seen` gets each message. */
export const createTopics = (seen: (notice: Notice) => void = () => undefined): Topics => {
  const notices: Notice[] = [];
  return {
    publish: (topic, message) => {
      notices.push({ topic, message });
      seen({ topic, message });
    },
    notices: () => [...notices],
  };
};
