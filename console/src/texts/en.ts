/** English texts of the console. Buttons are verbs with their numbers; sentences end with a full stop, labels do not. */
export const en = {
  language: 'English',
  frame: {
    skip: 'Skip to the content',
    home: 'Home',
    import: 'Import',
    people: 'People',
    segments: 'Segments',
    screens: 'Screens',
    find: 'Find a person',
    signOut: 'Sign out',
    property: 'Property',
    languages: 'Language',
  },
  signIn: {
    title: 'Sign in',
    line: 'With the account that your operator gave you.',
    username: 'User name',
    password: 'Password',
    client: 'Client id',
    clientHint: 'This machine remembers it.',
    submit: 'Sign in',
    ended: 'Your session has ended. Sign in again.',
    noProperty: 'This account has no property yet. Ask your operator for one.',
    demo: 'This machine runs a demo. Sign in with one click:',
    as: (name: string) => `Sign in as ${name}`,
  },
  parts: {
    loading: 'Loading',
    tryAgain: 'Try again',
    close: 'Close',
    cancel: 'Cancel',
    more: (count: string) => `Show ${count} more`,
    moreOfUnknown: 'Show more',
    shown: (shown: string, all: string) => `${shown} of ${all}`,
  },
  problems: {
    noAnswer: 'The service did not answer. Check your connection.',
    signedOut: 'Your session has ended. Sign in again.',
    unknown: 'Something went wrong in this page.',
    forbidden: 'Your role does not show this.',
  },
  home: {
    title: 'Today',
  },
  import: {
    title: 'Import a file',
  },
  people: {
    title: 'People',
  },
  segments: {
    title: 'Segments',
  },
};

/** All texts of a language. */
export type Texts = typeof en;
