// Package cluster is how to reach an API server: what a kubeconfig says about it, whom to trust,
// which certificate and which token to present. It makes an [http.Client] of that, and knows
// nothing of lists and watches, which are sent through it:
//
//	fakeapi ~~▶ [cluster] ~~▶ client ──▶ reflector ──▶ deltafifo ──▶ (process loop) ──▶ indexer
//	  HTTP       connections
//
// The smallest use, with a kubeconfig that was printed as JSON (kubectl config view --raw -o json):
//
//	c, err := cluster.LoadKubeconfig("config.json", "")
//	pods, err := client.New[Pod](client.Options{
//		URL: c.URL("/api/v1/pods"), HTTPClient: c.HTTPClient,
//	})
//
// Inside a Pod there is no kubeconfig, but files:
//
//	const dir = "/var/run/secrets/kubernetes.io/serviceaccount/"
//	httpClient, err := cluster.NewHTTPClient(cluster.Options{
//		CAFile: dir + "ca.crt", TokenFile: dir + "token",
//	})
//
// # What is promised
//
//   - A file that is replaced is used from the next request on: a token, a client certificate, or
//     the certificate authorities. Requests that are open, such as watches, go on undisturbed.
//   - A file that is being written, or is written wrongly, does no harm as long as the server
//     accepts what the file held before. A token is read for each request, and must be there.
//   - A connection over HTTP/2 whose other end is gone is noticed by pings, and closed.
//   - No error shows a token or a key.
//
// # What is not promised
//
//   - That the program of an exec entry, or a plug-in, is run to get credentials. Such kubeconfigs
//     are refused.
//   - That an open watch ends when its certificate or token expires. API servers look at these when
//     a request begins, and end each watch after some minutes.
package cluster
