/** Names that a member of a payment adapter has in other frameworks, or had here before. */
export const otherWords: Record<string, string> = {
  notifications: 'push',
  notification: 'push',
  webhook: 'push',
  webhooks: 'push',
}
