/** The address of an image (`https:` or `file:`), or the path of its file. */
export const imageSource = (image: string | URL): string => String(image)
