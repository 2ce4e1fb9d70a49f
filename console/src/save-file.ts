/** Saves a file that the page has: the browser asks where, or puts it with the downloads. */
export const saveFile = (name: string, content: Blob): void => {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
};

/** Opens a file that the service offers for download. The page stays where it is. */
export const openFile = (location: string): void => {
  const link = document.createElement('a');
  link.href = location;
  link.rel = 'noreferrer';
  link.click();
};
