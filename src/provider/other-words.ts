/** Names that a member of a payment adapter has in other frameworks. */
export const otherWords: Record<string, string> = {
  notifications: 'push',
  notification: 'push',
  pushes: 'push',
  onPush: 'push',
  webhook: 'push',
  webhooks: 'push',
}
