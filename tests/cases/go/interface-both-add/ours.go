// Package queue keeps jobs.
package queue

import (
	"errors"
	"sync"
)

// ErrFull says that there is no room.
var ErrFull = errors.New("queue is full")

const (
	idle = iota
	busy
)

// Job is one unit of work.
type Job struct {
	ID   string `json:"id"`
	Body []byte `json:"body"`
}

// Queue keeps jobs in order.
type Queue struct {
	mu   sync.Mutex
	jobs []Job
}

// Reader reads.
type Reader interface {
	Next() (Job, error)
	Peek() Job
}

var limits = map[string]int{
	"small": 16,
	"large": 1024,
}

// Push adds a job.
func (q *Queue) Push(job Job) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.jobs) >= limits["small"] {
		return ErrFull
	}
	q.jobs = append(q.jobs, job)
	return nil
}

// Len counts.
func (q *Queue) Len() int {
	return len(q.jobs)
}

// Len counts bytes.
func (j *Job) Len() int {
	return len(j.Body)
}

func state(code int) string {
	switch code {
	case idle:
		return "idle"
	case busy:
		return "busy"
	default:
		return "?"
	}
}
