// A yardstick: wish and bubbletea with the screen that the other yardsticks show. Built from Debian's
// packages (golang-github-charmbracelet-wish-dev and what it brings), without modules:
//
//	GO111MODULE=off GOPATH=/usr/share/gocode go build
//
// It is started with a JSON file of the screen's rows, and prints "-p PORT" once it listens.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net"
	"os"
	"strings"
	"sync"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/wish"
	"github.com/gliderlabs/ssh"
)

// screen is what everybody sees: of each seat the rows, and one of them that changes.
type screen struct {
	Seats  [][]string
	Status int    // the row that says what everybody is doing
	Quiet  string // for a seat where nothing happens, styled
	Sealed string // for one that has bid
}

// table has the sessions that see each other's keys.
type table struct {
	sync.Mutex
	sealed   map[int]bool
	programs []*tea.Program
}

type changed struct{ status string }

type model struct {
	shown  *screen
	table  *table
	seat   int
	status string
}

func (m model) Init() tea.Cmd { return nil }

func (m model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case changed:
		m.status = msg.status
	case tea.KeyMsg:
		switch msg.String() {
		case "s":
			m.table.set(m.shown, m.seat, true)
		case "t":
			m.table.set(m.shown, m.seat, false)
		case "q":
			return m, tea.Quit
		}
	}
	return m, nil
}

func (m model) View() string {
	rows := append([]string(nil), m.shown.Seats[m.seat%len(m.shown.Seats)]...)
	rows[m.shown.Status] = m.status
	return strings.Join(rows, "\n")
}

// set notes what a seat does, and tells all sessions of the table, not waiting for any of them.
func (t *table) set(shown *screen, seat int, sealed bool) {
	t.Lock()
	t.sealed[seat] = sealed
	status := t.status(shown)
	programs := append([]*tea.Program(nil), t.programs...)
	t.Unlock()
	for _, program := range programs {
		go program.Send(changed{status})
	}
}

func (t *table) status(shown *screen) string {
	said := ""
	for seat := range shown.Seats {
		if t.sealed[seat] {
			said += shown.Sealed
		} else {
			said += shown.Quiet
		}
	}
	return said
}

func main() {
	data, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	shown := &screen{}
	if err := json.Unmarshal(data, shown); err != nil {
		log.Fatal(err)
	}
	var all sync.Mutex
	tables := map[string]*table{}
	handler := func(next ssh.Handler) ssh.Handler {
		return func(session ssh.Session) {
			code := session.User()
			if at := strings.Index(code, "+"); at >= 0 {
				code = code[at:]
			}
			all.Lock()
			here := tables[code]
			if here == nil {
				here = &table{sealed: map[int]bool{}}
				tables[code] = here
			}
			all.Unlock()
			here.Lock()
			seat := len(here.programs)
			start := model{shown, here, seat, here.status(shown)}
			program := tea.NewProgram(start, tea.WithInput(session), tea.WithOutput(session), tea.WithAltScreen())
			here.programs = append(here.programs, program)
			here.Unlock()
			go func() {
				<-session.Context().Done()
				program.Quit()
			}()
			if err := program.Start(); err != nil {
				log.Print(err)
			}
			next(session)
		}
	}
	server, err := wish.NewServer(wish.WithMiddleware(handler))
	if err != nil {
		log.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("-p %d\n", listener.Addr().(*net.TCPAddr).Port)
	log.Fatal(server.Serve(listener))
}
